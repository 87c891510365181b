// Background work on share links.
import type { Services } from '../../http/context.ts'
import { updateLinkUses } from './rows.ts'

/**
 * Stores when share links were last used, to the hour: one write for each link and hour, whatever is read. A killed
 * process loses up to a minute of them.
 */
export const flushLinkUses = ({ db, linkUses }: Pick<Services, 'db' | 'linkUses'>): Promise<void> =>
  updateLinkUses(db, linkUses.take())
