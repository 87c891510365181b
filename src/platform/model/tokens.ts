// Estimates how many tokens a text takes, before the model has counted them.

// Text without spaces has about one token per character, which is three bytes.
export const BYTES_OF_TOKEN = 3

export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_OF_TOKEN)
