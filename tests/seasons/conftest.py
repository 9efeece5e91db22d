from tests.cast import cast as cast
from tests.web.conftest import browser_of as browser_of
