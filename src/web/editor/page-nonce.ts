import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Of the styles that an editor writes into the page. */
export const pageNonce = (): Extension =>
  EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '')
