// Words that phrase a question and say nothing about its subject. Whether a text answers a question is judged without
// them: no page about installing contains "how do I". A function word of one language is a content word of another
// (`ai`, `die`), so these words first decide the language of the question.

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Folded like the terms of a question: lower case, without accents on Latin letters. */
const BY_LANGUAGE: readonly ReadonlySet<string>[] = [
  words(`a an and any are as at be been by can could did do does doing for from get give had has have having how i if in
    into is it its just like let me my need needs no not of on one or our out please possible should so some such
    tell than that the their them then there these they this those to up us use used using want was way we were
    what whats when where which who whom whose why will with would you your about also between both but each happen
    happens explain often long far big large many much may might must mean means work works know find make help after
    before while during s t re ve ll d m don doesn isn aren won cannot everybody everyone everything anybody anyone anything
    nobody nothing somebody someone something another other others same own together again already always never ever
    still yet even only very too really actually currently exactly instead else able allow allowed allows let lets go
    goes come comes take takes taken put keep try tries look see say says think thing things way ways kind kinds sort
    lot bit every several few more most less least once now today soon later back away here himself itself myself
    ourselves themselves yourself against without within whether because until unless whenever wherever although though
    however per via upon onto toward towards next first last well`),
  words(`aber als am an auch auf aus bei beim bin bis brauche da dann das dass dem den der des die dies diese dieser ein
    eine einem einen einer eines er es fur gibt haben hat ich ihr im in ist ja kann konnen man mein meine mich mir mit
    muss nach nicht noch nur oder ob sein sich sie sind so soll uber um und uns vom von vor wann warum was welche
    welchen welcher welches wenn wer werden wie wieso wir wird wo zu zum zur lange viel viele oft`),
  words(`ai au aux avec ce cela ces cette combien comment dans de des du elle en est et etre faire fait faut il ils je la
    le les leur lors ma mes moi mon ne nous ou par pas peut peux plus pour pourquoi puis quand que quel quelle quelles
    quels qui quoi sa sans se ses si son sont sur tu un une vos votre vous y a d l j n c qu`),
  words(`al algo como con cual cuales cuando cuanto cuantos de del donde el ella en entre es esta este esto hace hacer hay
    la las lo los me mi muy no nos o para pero por porque puede puedo que quien se si sin sobre son su sus tiene un una
    y yo`),
  words(`ao aos as com como da das do dos de e ela ele em essa esse esta este eu fazer foi isso mais mas meu minha na nas
    nao no nos num numa o onde os ou para pela pelo pode por porque posso preciso qual quais quando quanto que quem se
    sem seu sua sao tem ter um uma voce`),
  words(`a al anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e gli ha ho i il in io la le lo
    ma mi mio nel nella non per perche piu posso puo quale quali quando quanto quanti si sono su sua sul ti tra un una
    uno`),
  words(`aan als bij dat de deze die dit een en er ge heb hebben heeft het hoe hoeveel hun ik in is je kan maar me met mijn
    moet naar niet nog of om onder ook op over te tot uit van voor waar waarom wanneer wat we welke wie wil worden ze
    zijn zonder`),
  words(`att av de den det detta du eller en ett finns fran for ha han har hon hur i inte jag kan man manga med mig min mitt
    nar och om pa ska som till ut vad var varfor vem vi vid vilka vilken`),
  words(`а без бы в вы где для до его если есть же за и из или как какая какие какой когда кто ли мне могу можно мой на
    надо не нет но нужно о об он она они от по почему при с сколько так то у что чтобы это я`),
]

/** The asking words of the language that most of the words belong to; English if there is none. */
export function askingWordsOf(asked: readonly string[]): ReadonlySet<string> {
  const countIn = (language: ReadonlySet<string>): number => asked.filter(word => language.has(word)).length
  return BY_LANGUAGE.reduce((best, language) => (countIn(language) > countIn(best) ? language : best))
}

const PLACES: Readonly<Record<string, number>> = {
  en: 0,
  de: 1,
  fr: 2,
  es: 3,
  pt: 4,
  it: 5,
  nl: 6,
  sv: 7,
  ru: 8,
}

// Words that ask for nothing, and tell something in a statement.
const TELLING_IN_STATEMENTS =
  words(`after before during while within without against until since once twice first last
  next again already still yet now today soon later always never ever more less most least long far big large many much
  often help find mean work works know happen happens explain keep try tries come comes go goes take takes taken put look
  see say says think same other another together several few every via per back away own nach vor lange viel viele
  oft noch nur ohne sans sin zonder mais plus menos piu meer`)

/** Whether a word joins others and says nothing itself, in the language of a space. */
export function isFunctionWord(word: string, language: string | null): boolean {
  if (TELLING_IN_STATEMENTS.has(word)) return false
  const name = language?.toLowerCase().split(/[-_]/)[0] ?? 'en'
  const known = BY_LANGUAGE[PLACES[name] ?? 0]
  return known?.has(word) === true || CONNECTING.has(word) || UNSPACED_ASKING_WORDS.has(word)
}

const CONNECTING =
  words(`thus therefore hence so moreover furthermore then please simply therein thereby such either
  daher deshalb deswegen also somit dann dabei dadurch lang`)

/** The same for Chinese, Japanese and Korean. */
export const UNSPACED_ASKING_WORDS: ReadonlySet<string> =
  words(`请问 如何 怎么 怎么样 怎样 怎 样 什么 什么是 是什么 为什么 为何
  哪些 哪个 哪里 哪儿 哪种 哪 在 可以 可 能否 能 能不能 是否 有没有 没有 有 多少 多 少 多久 多大 多长 多高 几 几个 几次 几天 最多 最少 至少
  需要 需 要 应该 应 该 必须 得 我们 我 你 您 他 它 他们 谁 吗 呢 的 了 是 和 与 或 或者 及 以及 对 把 被 将 从 到 给 为 里 中 内 上 下 时 后 前
  用 使用 会 支持 一个 一 个 多少个 多少次 多少天 要用 我的 你的 它的 每 每个 这 那 这个 那个 些 原来 现在 已经 曾经 一直 一点 一些 一样 一起 一下 时候 之后 以后 之前 以前 然后 同时 自己 别人 大家
  东西 地方 办法 情况 事情 比较 非常 特别 更加 很 太 更 最 后来 另外 其他 其它 所有 任何 某 某个 怎么办 例如 比如 因为 所以 如果
  但是 而且 只 只有 只能 来 去 让 给 按 跟 向 往 之 所 而 则 若 都 也 还 并 且 就 才 又 等 由 于 以 做 进行 想 让 请 吧 啊 呀 么 不 不能 天 次
  どう どうやって どの どれ どこ いつ 何 なに とは です ですか ます ますか ください する できる を は が に で の と も か から まで
  어떻게 무엇 무엇을 어디 어디서 언제 왜 누가 얼마나 수 있나요 하나요 는 은 이 가 을 를 에 의`)
