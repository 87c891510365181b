import type { Place } from '../../data/change-request.ts'
import type { ChangeRequest } from '../../data/change-requests.ts'
import type { Space } from '../../data/spaces.ts'

/** What is reviewed. */
export type Props = { readonly place: Place; readonly changeRequest: ChangeRequest; readonly of: Space }
