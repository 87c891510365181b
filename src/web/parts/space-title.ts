import { emojiOf } from '../data/pages.ts'
import type { Space } from '../data/spaces.ts'
import { t } from '../messages/messages.ts'

/** As it is called in lists, with its emoji. */
export const titleOf = ({ emoji, title }: Pick<Space, 'emoji' | 'title'>): string =>
  `${emojiOf(emoji) ?? ''} ${title === '' ? t('space.untitled') : title}`.trim()
