import type { Place } from '../../data/change-request.ts'
import type { ChangeRequest } from '../../data/change-requests.ts'

type Props = { readonly place: Place; readonly changeRequest: ChangeRequest; readonly pageId?: string }

export const Preview = (_: Props) => null
