// A lower bound on the quality of search, on a small site of its own: each question of a reader puts the page first that
// answers it. `bench/search-quality.ts` measures it on real documentation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CHINESE_PAGES,
  ENGLISH_PAGES,
  GERMAN_PAGES,
  type SamplePage,
} from '../../../test/support/sample-site.ts'
import { found, indexOf } from '../../../test/support/search-indexes.ts'
import { languageOf } from './language.ts'

const english = finderOf(ENGLISH_PAGES, 'en')
const german = finderOf(GERMAN_PAGES, 'de')
const chinese = finderOf(CHINESE_PAGES, 'zh')

promise('a title finds its page', english, {
  'Single sign-on': 'en/sso',
  backups: 'en/backups',
  'Command line': 'en/cli',
})

promise('words of different places of a page find it together', english, {
  'invite people by email': 'en/people',
  'restore to a point in time': 'en/restore',
  'alert text message phone': 'en/alerts',
  's3 bucket key': 'en/storage',
})

promise('a question in a sentence is found by its telling words', english, {
  'How long are old copies kept?': 'en/backups',
  'What do I do when there is no space left on the disk?': 'en/troubleshooting',
  'Where can I change the address that my invoice goes to?': 'en/billing',
})

promise('forms of a word are one word', english, {
  'cancelled subscriptions': 'en/billing',
  'encrypting a file': 'en/storage',
  'restored database': 'en/restore',
})

promise('a word with a slip is read as the one that is meant', english, {
  webhoks: 'en/webhooks',
  'instalation requirments': 'en/install',
  'singel sign-on': 'en/sso',
})

promise('a word that is still being typed is found', english, {
  troublesh: 'en/troubleshooting',
  'command li': 'en/cli',
})

promise('an identifier is found as a whole, in any case and by its parts', english, {
  pg_stat_activity: 'en/troubleshooting',
  '--dry-run': 'en/cli',
  maxConnections: 'en/configuration',
  maxconnections: 'en/configuration',
  'max connections': 'en/configuration',
  'x-heron-signature': 'en/webhooks',
})

promise('quoted words are adjacent', english, {
  '"tried again"': 'en/webhooks',
  '"the checks again"': 'en/restore',
})

promise('what is said in other words is found by words that mean the same', english, {
  'log in with SSO': 'en/sso',
  'price of a subscription': 'en/billing',
  'notifications on my smartphone': 'en/alerts',
  'may a colleague see it too? access rights': 'en/people',
  preferences: 'en/configuration',
  'recover my DB': 'en/restore',
})

promise('words of every day do not outweigh what is asked about', english, {
  'What happens with my copies when I stop paying for a while?': 'en/billing',
  'Is there any good way to see what the program would do before it really does it?': 'en/cli',
})

promise('German has words of its own that mean the same', german, {
  'Was kostet das Abo?': 'de/abrechnung',
  'Nutzer einladen': 'de/benutzer',
  'Backup zurückspielen': 'de/wiederherstellung',
})

promise('German is found by its stems, with and without its accents', german, {
  'Datenbanken wiederherstellen': 'de/wiederherstellung',
  Benachrichtigungen: 'de/warnungen',
  'Wann kommt die nächste Rechnung?': 'de/abrechnung',
  verschlusselung: 'de/verschluesselung',
  'tägliche Sicherung': 'de/sicherungen',
  'Rolle eines Benutzers': 'de/benutzer',
  Speicherort: 'de/speicherorte',
})

promise('Chinese is found without blanks between its words', chinese, {
  单点登录: 'zh/sso',
  '怎么恢复数据库？': 'zh/restore',
  发票: 'zh/billing',
  邀请新用户: 'zh/people',
  '旧的副本保留多少天？': 'zh/backups',
  存储桶: 'zh/storage',
})

promise('a question in Chinese is found by its telling words, and in other words', chinese, {
  '请问怎么才能把数据库还原到昨天的状态呢？': 'zh/restore',
  收费是多少: 'zh/billing',
  '如果备份没有成功，我能不能在手机上收到提醒？': 'zh/alerts',
  '我想让同事也可以使用，应该怎么做': 'zh/people',
  安装需要多大内存: 'zh/install',
  密码登录可以禁用吗: 'zh/sso',
})

type Finder = (question: string) => string | undefined

function finderOf(pages: readonly SamplePage[], spaceLanguage: string): Finder {
  const index = indexOf(languageOf(spaceLanguage), pages)
  return question => found(index, question, 1)[0]
}

function promise(name: string, find: Finder, wanted: Readonly<Record<string, string>>): void {
  test(name, () => {
    const questions = Object.keys(wanted)
    assert.deepEqual(Object.fromEntries(questions.map(question => [question, find(question)])), wanted)
  })
}
