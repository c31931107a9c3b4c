"""The programs in documents, which tests run."""

import re
import textwrap


def code_blocks(page, language):
    """The code blocks of a language in a page, also those in lists."""
    return [textwrap.dedent(block) for block in re.findall(rf"^ *```{language}\n(.*?)^ *```$", page.read_text(encoding="utf-8"), flags=re.M | re.S)]
