// A key that the English texts lack does not compile.
import 'i18next'
import type en from './en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}
