// How much one request may bring, and how long it may keep the server busy elsewhere.

const MIB = 1024 * 1024

/** Twenty files of 1 MB in base64 are about 27 MB. */
export const BODY_BYTES_MAX = 32 * MIB
export const FILES_PER_CHANGE_MAX = 20
export const NAME_CHARACTERS_MAX = 256
/** Of a file that is sent in the request. */
export const SENT_BYTES_MAX = MIB
/** Of one file that is fetched, and of all that one request has fetched. */
export const FETCHED_BYTES_MAX = 10 * MIB
export const FETCHED_TOGETHER_BYTES_MAX = 100 * MIB
export const FETCH_MILLISECONDS_MAX = 20_000
/** For all files of one request. */
export const FETCHES_MILLISECONDS_MAX = 60_000
/** In the whole process: each is a connection to another server. */
export const FETCHES_AT_ONCE_MAX = 20
/** Files, reusable contents and variables of a space together, as an import bounds them. */
export const ENTRIES_BESIDE_PAGES_MAX = 24_000
/** Uploads of one person to one space that wait to be used. */
export const UPLOADS_MAX = 100
/** How long one waits. */
export const UPLOAD_HOURS = 24
/** In the whole process: each is a file that is open. */
export const UPLOADS_AT_ONCE_MAX = 50
/** Of one person, in the whole process. */
export const UPLOADS_OF_ONE_MAX = 10
