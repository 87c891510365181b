// Questions with answers in other words, for calibrating a model: see engines/vectors/scale.ts. Each answers its own
// question only.

export const KNOWN_PAIRS: readonly { readonly question: string; readonly answer: string }[] = [
  {
    question: 'How do I get my money back?',
    answer:
      'Refunds\nYou can return an order within 30 days. The amount is paid to the card that it was bought with.',
  },
  {
    question: 'let somebody else see a file',
    answer:
      'Sharing documents\nOpen the document and choose who may read it. Everybody on the list gets an invitation by mail.',
  },
  {
    question: 'I forgot my password and am locked out',
    answer:
      'Recovering an account\nAsk for a link to set new credentials. It is sent to the address that you signed up with.',
  },
  {
    question: 'the program is slow with many records',
    answer: 'Performance\nLarge tables take long to load. Add an index on the columns that are filtered by.',
  },
  {
    question: 'stop getting so many mails',
    answer: 'Notifications\nChoose in the settings which messages are sent to you, or turn all of them off.',
  },
  {
    question: 'run the same task every night',
    answer: 'Schedules\nA job is started by the clock, for example daily at two. Times are in UTC.',
  },
  {
    question: 'keep a copy in case the disk breaks',
    answer: 'Backups\nExport the database regularly and store the archive on another machine.',
  },
  {
    question: 'put a picture at the top of a page',
    answer: 'Cover images\nUpload an image and it is shown above the title, as wide as the window.',
  },
]
