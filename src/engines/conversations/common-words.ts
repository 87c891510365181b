// Words that say nothing about the topic of a text, in the languages that most customers write. In many texts they
// stand out by frequency; for a few texts a list is needed. Folded as in text-words.ts.
import { wordsOf } from './text-words.ts'

const BY_LANGUAGE = [
  // English
  `a about after all also am an and any are as at be because been but by can could did do does doing done for from get
  got had has have he help her here hi him his how i if in into is it its just know let like me my need no not now of on
  one only or our out please she should so some still than thank thanks that the their them then there these they this
  those to too try trying tried up us use used using very want wanted was way we were what when where which while who why
  will with would you your don't doesn't didn't can't cannot isn't i'm i've it's won't there's possible question hello dear
  team issue problem something anything wrong broken fail fails failed failing missing work works working happen
  happens find see say says got give make sure instead`,
  // German
  `aber alle als also am an auch auf aus bei bin bis bitte da damit dann das dass dem den der des die dies diese dieser
  doch durch ein eine einem einen einer es für habe haben hallo hat hier ich ihr ihre im in ist ja kann können kein keine
  man mein meine mich mir mit möchte nach nicht noch nun nur ob oder sehr sein seit sich sie sind so um und uns unser
  unsere vom falsch falsche falscher falsches falschen funktioniert kaputt finde vom von vor war was wenn werden wie wieder wir wird wo zu zum zur danke frage problem geht gibt`,
  // French
  `a ai au aux avec avoir bonjour ce cela ces cette comment dans de des du elle en est et être faire fait il ils j'ai je
  la le les leur lors ma mais me mes moi mon ne nous on ou où par pas peut peux plus pour pouvez pourquoi qu'il quand que
  quel quelle qui sa sans se ses si son sont sur ta te un une vos votre vous y merci problème question c'est n'est`,
  // Spanish
  `a al algo como con cómo cuando de del desde donde dónde el ella en es esta está este esto estoy fue gracias ha hacer
  hay he hola la las le lo los más me mi mis muy ni no nos nuestra nuestro o para pero por puede puedo qué que quiero se
  ser si sí sin sobre su sus también tengo un una y ya yo problema pregunta favor`,
  // Italian
  `a ad al alla anche ancora c'è che chi ci ciao come con da dal dalla de del della delle di dove e è ed fare grazie ha
  ho i il in io l la le lo ma me mi mia mio ne nel nella no noi non nostra nostro o per perché più posso può quando
  questa questo se sei si sono su sul tra un una vi voglio problema domanda`,
  // Portuguese
  `a ao as com como da de do dos e é ela ele em então essa esse esta está este eu fazer foi isso isto já la mais mas me
  meu minha muito na não nas no nos nós nosso o obrigado olá onde os ou para pela pelo por porque posso pode qual quando
  que quero se sem ser seu sua também tem tenho um uma você vocês problema pergunta`,
  // Dutch
  `aan al als bij dan dat de deze die dit door een en er geen graag hallo heb heeft het hij hoe ik in is je kan kunnen
  maar me met mij mijn naar niet nog nu of om onze ook op te tot u uit van voor waar waarom wat we wel wie wij wil worden
  wordt zijn zo dank vraag probleem`,
  // Swedish
  `alla alltså att av de den det där då efter ej eller en ett fick finns för från gör går ha hade han har hej hur här i
  inte jag jeg kan man med men min mitt mot mycket nu när och om oss på så ska som till under upp ut vad var vi vid vill
  är även tack problem fråga`,
  // Russian
  `а без бы был была были в вам вас вы где да для до его ее если есть еще же за здравствуйте и из или им их к как когда
  кто ли меня мне мы на нам нас наш не нет но о об от очень по почему при с свой спасибо так также то тоже только у уже
  чем что чтобы это этого этот я проблема вопрос помогите можно могу`,
]

const WORDS: ReadonlySet<string> = new Set(BY_LANGUAGE.flatMap(wordsOf))
/** Pairs of letters that every Chinese or Japanese message has. */
const PAIRS =
  /^(?:我们|你们|您好|你好|请问|谢谢|可以|这个|那个|什么|怎么|如何|没有|不能|无法|问题|是否|一个|现在|进行|使用|です|ます|した|して|する|ませ|せん|こと|これ|それ|ない|から|まし|たい|ので|くだ|ださ|さい)$/u

const isCommon = (word: string): boolean => WORDS.has(word) || PAIRS.test(word)

/** What a text is about: its words, without common words and numbers. */
export const distinctiveWords = (text: string): string[] =>
  wordsOf(text).filter(word => !isCommon(word) && !/^\p{N}+$/u.test(word))
