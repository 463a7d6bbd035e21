"""Do neighbouring pixels of the pictures belong together?

## Why it matters
Pictures stored with colour last need `permute`, not `view`: a view leaves every number in the batch and scatters the
neighbours that a convolution looks at. The network still learns something, clearly less than it could.

## Threshold
Read with colour last, neighbouring pixels correlate by `MIN_GAIN = 0.1` more, also in height alone (stripes three
pixels wide do so in width), in `MIN_SHARE = 0.8` of the pictures, and as given by less than half of that. Measured on
patches of 8 to 64 pixels of two photographs and on textures: laid out right they lose, viewed instead of permuted
they gain 0.2 to 1.2.

## Cost
Reads 128 training pictures. No model.

## Examples
PASS:

>>> from diagkit.evidence.wrong_thing import ImageLayout
>>> print(pictures_keep_their_neighbours(ImageLayout(128, 0.9, 0.2, 0.9, 0.2, 0.0)))
PASS: neighbouring pixels correlate by 0.9 as given, by 0.2 with colour last

FAIL, `view(-1, 3, height, width)` of pictures stored (height, width, 3):

>>> print(pictures_keep_their_neighbours(ImageLayout(128, 0.2, 0.9, 0.1, 0.9, 1.0)))
FAIL: neighbouring pixels correlate by 0.2 as given, by 0.9 with colour last: the axes were viewed, not permuted

## Fix
`x.permute(0, 3, 1, 2)` brings colour forward.

## Sources
- Slavv, 37 reasons why your neural network is not working (2017): check the input data
- Karpathy's list of the most common neural net mistakes (2018): thinking view() and permute() are the same thing
"""

from diagkit.evidence.wrong_thing import ImageLayout
from diagkit.finding import Finding, failed, passed

MIN_GAIN = 0.1  # correlation; see "Threshold"
MIN_SHARE = 0.8  # of the pictures; see "Threshold"

SPEAKS_FOR = ("axis_mixup",)


def pictures_keep_their_neighbours(
    image_layout: ImageLayout, *, min_gain: float = MIN_GAIN, min_share: float = MIN_SHARE
) -> Finding:
    """Compare the smoothness of pictures as given and with colour last."""
    given, last = image_layout.given, image_layout.colour_last
    text = f"neighbouring pixels correlate by {given:.2g} as given, by {last:.2g} with colour last"
    gains = last - given, image_layout.colour_last_down - image_layout.given_down
    if min(gains) >= min_gain and given < last / 2 and image_layout.smoother_last >= min_share:
        return failed(f"{text}: the axes were viewed, not permuted").means("axis_mixup")
    return passed(text)
