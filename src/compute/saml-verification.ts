// Parses the response of an identity provider and verifies its signature. Anybody may send one.
import { type Parties, type Verification, verifyResponse } from '../engines/saml/library.ts'
import type { Task } from './task.ts'

type Input = { readonly parties: Parties; readonly requestId: string; readonly xml: string }

export const samlVerification: Task<Input, Verification> = ({ parties, requestId, xml }) =>
  verifyResponse(parties, requestId, xml)
