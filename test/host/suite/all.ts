/** Every file of the suite, in the order of the story: the extension starts, finds, repairs, shows. */

import './activation.ts';
import './diagnostics.ts';
import './editing.ts';
import './panel.ts';
import './models.ts';
import './settings.ts';
