// The workspace in the files that a browser loads, there before a server of a test looks for them.
import { bundleWeb } from '../../tools/web.ts'

await bundleWeb()
