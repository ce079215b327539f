"""``python -m greenroom.bench``."""

import sys

from greenroom.bench.run import main

sys.exit(main())
