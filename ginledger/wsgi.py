"""The WSGI application: `gunicorn ginledger.wsgi`."""

import logging
import os

from django.core.wsgi import get_wsgi_application

from ginledger.logs import MaskSecrets

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginledger.settings")

application = get_wsgi_application()

# Of gunicorn's loggers the settings know nothing: a path in their lines is masked here.
for name in ("gunicorn.error", "gunicorn.access"):
    logging.getLogger(name).addFilter(MaskSecrets())
