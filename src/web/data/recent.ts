// The pages that somebody read last on this device, kept for each person.
import { keep } from './device.ts'

const KEY = 'octavo.recent.'
const PAGES_MAX = 8

export type RecentPage = {
  readonly spaceId: string
  readonly pageId: string
  readonly title: string
  readonly spaceTitle: string
}

/** The latest first. */
export function listRecent(userId: string): readonly RecentPage[] {
  try {
    return JSON.parse(localStorage.getItem(KEY + userId) ?? '[]') as RecentPage[]
  } catch {
    return []
  }
}

export function noteRecent(userId: string, page: RecentPage): void {
  const others = listRecent(userId).filter(one => one.pageId !== page.pageId || one.spaceId !== page.spaceId)
  keep(KEY + userId, JSON.stringify([page, ...others].slice(0, PAGES_MAX)))
}

export const dropRecent = (userId: string): void => localStorage.removeItem(KEY + userId)
