// Boxes that scroll when they are wider or higher than the page: tables, code, formulas.
import type { Properties } from './build.ts'
import type { Scope } from './scope.ts'

const NAME_LENGTH_MAX = 80

/**
 * Makes such a box scrollable by keyboard: it takes focus, and is a region with a unique name. A script of the reader
 * removes this from boxes that fit. On a printed page nothing scrolls.
 */
export const asScroller = (name: string, scope: Scope): Properties =>
  scope.options.loadsAtOnce === true
    ? {}
    : {
        role: 'region',
        tabIndex: 0,
        ariaLabel: scope.uniqueName(name.replace(/\s+/g, ' ').trim().slice(0, NAME_LENGTH_MAX)),
      }
