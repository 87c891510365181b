// Words by which a person is known are no part of an issue: issues and clusters are read by more people than the mail.

const ADDRESS = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu
// Telephone, card, account: nine digits and more, in groups.
const LONG_NUMBER = /\+?\p{Nd}(?:[ ()./-]{0,2}\p{Nd}){8,30}/gu
const URL_DETAILS = /(https?:\/\/[^\s/?#]{1,253})[/?#][^\s]{0,2000}/gi
const WWW_DETAILS = /(www\.[^\s/?#]{1,90})[/?#][^\s]{0,2000}/gi

/** Mail addresses, long numbers and what follows the host of an address of the web, taken out. */
export const withoutPrivateWords = (text: string): string =>
  text
    .replaceAll(URL_DETAILS, '$1/…')
    .replaceAll(WWW_DETAILS, '$1/…')
    .replaceAll(ADDRESS, '…')
    .replaceAll(LONG_NUMBER, '…')
