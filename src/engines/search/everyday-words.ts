// Everyday words: questions consist of them and documentation has few of them, so by rarity they would count a lot,
// although they say little.

import { type Language, stemsOf } from './language.ts'
import { foldWord } from './word-positions.ts'

const list = (words: string): readonly string[] => words.split(/\s+/)

const ENGLISH =
  list(`able actually again ago ahead along already alone always another answer anybody anyone anything
  anyway apart around ask away back bad become begin behind believe beside besides best better big bit bring buy call
  came carry case catch certain chance clear close come company complete completely correct couple course day decide
  deal different difficult easily easy either else end enough even ever every everybody everyone everything exactly
  example expect explain fact far fast feel few find finish fine follow forget front full further gave general get give
  given go goes going gone good got great guess guy half hand happen hard hear hello help hey hold hope hour idea important
  inside instead interested issue job keep kind knew know large last late later least leave left less let lie life like
  likely little live long look lose lot made main make man many matter mean middle might minute mistake moment month more
  morning move much must name near nearly need never new next nice nobody none nothing now number obviously often okay
  old once one open opposite order other otherwise ought outside own part particular past pay people perhaps person piece
  place please plus point possible possibly pretty probably problem properly proper put question quick quickly quite
  rather reach ready real really reason regular remember rest right round said same say second see seem seen sense seriously
  set several shall short show side simple simply single situation small somebody somehow someone something sometimes
  somewhere soon sorry sort special start state stay step still stop story straight strange stuff stupid suddenly suppose
  sure take talk tell thank thanks thing think though thought today together told tomorrow tonight took top touch toward
  towards tried trouble true try turn two understand unless until upon usual usually various want watch way week well went
  whatever whenever wherever whether while whole whose wish within without wonder word work world worry worse worst worth
  wrong year yes yesterday yet`)

const GERMAN =
  list(`anfangen bekommen bereits besser bleiben brauchen bringen damit dazu denken eigentlich einfach einmal
  etwas finden fragen funktionieren ganz geben gehen genau gerade gern gibt gleich gut halten heute immer irgendwie jemand
  jetzt kommen lassen laufen leicht leute leider liegen machen mal mehr mensch muss möchte möglich nehmen neu nie niemand
  noch nun nötig oft passieren richtig sagen schnell schon sehen selbst sofort sollen stehen stellen suchen tun überhaupt
  verstehen viel vielleicht weg weise weiter wenig wichtig wieder wirklich wissen wollen wünschen ziemlich zurück zusammen`)

const FRENCH =
  list(`aider aller alors arriver aujourd'hui aussi autre beaucoup besoin bien chercher chose comprendre demander
  depuis devoir dire donner encore ensuite essayer façon facile facilement faire falloir fois gens mettre moment nouveau
  obtenir parler passer pendant penser permettre personne petit possible pouvoir prendre problème quelqu'un quelque question
  rapidement rester savoir seul simple souvent tenir toujours tout trouver truc venir vite voir vouloir`)

const SPANISH =
  list(`algo alguien alguno ahora antes aquí así aún ayudar bien buscar cada cosa conseguir cómo dar deber decir
  dejar después encontrar entonces entender forma fácil gente gustar haber hacer hoy intentar ir llegar llevar luego manera
  mejor mismo momento mucho necesitar nuevo nunca otro parecer pasar pensar permitir persona poder poner posible pregunta
  problema querer quedar rápido saber seguir sentir siempre simple solo tener tiempo todo tomar tratar usar varios venir ver
  vez`)

const EVERYDAY: Partial<Record<Language, readonly string[]>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  zh: ENGLISH,
  ja: ENGLISH,
  none: ENGLISH,
}

const known = new Map<Language, ReadonlySet<string>>()

function everydayIn(language: Language): ReadonlySet<string> {
  const made =
    known.get(language) ??
    new Set((EVERYDAY[language] ?? []).flatMap(word => [foldWord(word), ...stemsOf(word, language)]))
  known.set(language, made)
  return made
}

/** Whether a word, written in lower case, is an everyday word. */
export const isEverydayWord = (written: string, language: Language): boolean =>
  everydayIn(language).has(foldWord(written)) ||
  stemsOf(written, language).some(stem => everydayIn(language).has(stem))

const UNSPACED = new Set(
  list(`一下 一直 一起 上面 下面 不到 不会 不同 不想 不用 不能 不要 不行 不见 东西 两个 之前 之后 之间 也许 了解 事情 人员 以前 以后 以内
  介绍 仍然 任务 会不会 但是 何时 使用 使得 允许 全部 公司 其中 其他 其它 内容 再次 几个 出现 分别 利用 到底 办法 功能 包括 原因 又 及时 发现 发生
  变成 只能 只要 可不可以 可能 告诉 哪一个 哪种 喜欢 回来 在哪 地方 处理 多个 多少 大概 太 好像 如何 完全 完成 实现 容易 尝试 希望 帮 帮助 并且
  应该 开始 当前 当中 快速 怎 怎么 怎么办 怎么样 怎样 怎麽 情况 想 想要 我的 所有 打算 找 找不到 找到 拥有 按照 换成 支持 收不到 放到 整个 方式
  方法 无法 时候 时间 明白 是不是 是否 最多 最好 最少 有关 有哪些 有时 有没有 有用 来自 查看 步骤 每个 每次 比如 比较 没 没有 添加 然后 现在
  理解 用户 用来 用途 留下 相关 相同 看 看到 看看 真的 知道 确定 碰到 禁止 立即 简单 类似 经常 给我 继续 自动 自己 若 获得 获取 要求 要怎么 觉得 解决
  计划 让 记得 许多 该 详细 说明 请问 谁 起来 跟 轮流 过程 还是 这些 这样 这种 进行 通过 遇到 那么 那些 部分 里面 问题 需要 需求 非常 项 马上 麻烦`),
)

/** For scripts without spaces. */
export const isEverydayUnspacedWord = (word: string): boolean => UNSPACED.has(word)
