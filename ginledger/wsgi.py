"""The WSGI application: `gunicorn ginledger.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginledger.settings")

application = get_wsgi_application()
