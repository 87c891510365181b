// What stories of the workspace are told in: the screen, and in one that can happen to anybody, the hands and what goes
// wrong. The suite has one of each, `node test/torture.ts web` all.
import { isWhole } from './slice.ts'

/** As `OCTAVO_TEST_SCREEN` names them. */
export const SCREENS = ['1440 light', '1440 dark', '390 light', '390 dark'] as const

const [width, colorScheme] = (process.env.OCTAVO_TEST_SCREEN ?? SCREENS[0]).split(' ')

export const isNarrow = width === '390'

/** What a browser is opened with. Stories that are about one screen say themselves which. */
export const screen = {
  viewport: { width: Number(width), height: isNarrow ? 844 : 900 },
  colorScheme: colorScheme === 'dark' ? 'dark' : 'light',
} as const

type Hands = 'keyboard' | 'pointer'
type Trouble = 'nothing goes wrong' | 'the network is cut' | 'the session ends'

const HANDS: readonly Hands[] = isWhole ? ['keyboard', 'pointer'] : ['keyboard']
const TROUBLES: readonly Trouble[] = isWhole
  ? ['nothing goes wrong', 'the network is cut', 'the session ends']
  : ['the network is cut']

export const CIRCUMSTANCES = HANDS.flatMap(hands => TROUBLES.map(trouble => ({ hands, trouble })))
