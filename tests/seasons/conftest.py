from tests.cast import cast as cast
