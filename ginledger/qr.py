"""QR codes as markup, so that a link can be followed with a phone's camera."""

from __future__ import annotations

import segno
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe


def qr_code(text: str, label: str) -> SafeString:
    """A QR code as SVG markup without a style of its own, dark on light in either scheme."""
    code = segno.make(text, error="m", micro=False)
    svg: str = code.svg_inline(
        omitsize=True, border=3, dark="#000", light="#fff", svgclass="qr", lineclass=None
    )
    return mark_safe(  # noqa: S308 (segno writes paths only; the label is escaped)
        svg.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)
    )
