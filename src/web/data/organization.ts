// The organization that is being looked at: that of the space, else the one chosen last on this device.
import { useSuspenseQuery } from '@tanstack/react-query'
import type { Model } from './client.ts'
import { keep } from './device.ts'
import { organizations } from './people.ts'
import { createStore, useStore } from './store.ts'

const SETTING = 'octavo.organization'
const chosen = createStore(localStorage.getItem(SETTING) ?? '')

export type Organization = Model<'Organization'>

export function chooseOrganization(organizationId: string): void {
  keep(SETTING, organizationId)
  chosen.set(organizationId)
}

/** Undefined if the person belongs to none. */
export function useOrganization(): Organization | undefined {
  const { items } = useSuspenseQuery(organizations).data
  const id = useStore(chosen)
  return items.find(one => one.id === id) ?? items[0]
}
