// What an identity provider answers, parsed and its signature checked. Anybody may send one.
import type { Parties, Verification } from '../engines/saml/library.ts'
import type { Task } from './task.ts'

type Input = { readonly parties: Parties; readonly requestId: string; readonly xml: string }

export const samlVerification: Task<Input, Verification> = {
  sizeOf: ({ xml }) => xml.length,
  async run({ parties, requestId, xml }) {
    // loaded where it is needed: most threads never see an answer
    const { verifyResponse } = await import('../engines/saml/library.ts')
    return verifyResponse(parties, requestId, xml)
  },
}
