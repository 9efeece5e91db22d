from collections.abc import Callable

import pytest
from django.test import Client

from ginledger.clubs.models import User
from tests.cast import cast as cast


@pytest.fixture
def browser_of() -> Callable[[User | None], Client]:
    """A client logged in as this user; without one, of a stranger without an account."""

    def make(user: User | None = None, **options: object) -> Client:
        client = Client(**options)
        if user is not None:
            client.force_login(user)
        return client

    return make
