import { useQuery } from '@tanstack/react-query'
import type { Organization } from './organization.ts'
import { type Collection, collectionsOf } from './spaces.ts'

/** Whether the person may begin a space: anywhere in the organization, or in one of its collections. */
export const useMayCreate = (of: Organization | undefined): boolean =>
  useWritable(of).length > 0 || of?.permissions.createContent === true

/** The collections that the person may create in. */
export const useWritable = (of: Organization | undefined): readonly Collection[] =>
  useQuery({ ...collectionsOf(of?.id ?? ''), enabled: of !== undefined }).data?.items.filter(
    ({ permissions }) => permissions.create,
  ) ?? []
