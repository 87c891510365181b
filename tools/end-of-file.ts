/** The name of a test that passes when those of a file are over. It has to be chosen where tests are chosen by name. */
export const END_OF_FILE = 'the tests of this file are over'
