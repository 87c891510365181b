// Boxes that scroll in themselves when they are wider or higher than the page: tables, code, formulas.
import type { Properties } from './build.ts'
import type { Scope } from './scope.ts'

const NAME_LENGTH_MAX = 80

/**
 * What lets such a box be scrolled by keyboard: it takes focus, and is a region with a name of its own. A script of the
 * reader takes it away from boxes that fit. Where pages are printed nothing scrolls.
 */
export const asScroller = (name: string, scope: Scope): Properties =>
  scope.options.loadsAtOnce === true
    ? {}
    : {
        role: 'region',
        tabIndex: 0,
        ariaLabel: scope.uniqueName(name.replace(/\s+/g, ' ').trim().slice(0, NAME_LENGTH_MAX)),
      }
