// The commonest passwords of published leaks, each as its stem (`toStem` in passwords.ts): in lower case, without
// digits and signs at either end unless it has nothing else.

/** Compared with the stem of a whole password, never with a part. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  password passwort passw0rd p@ssword p@ssw0rd pa$$word pa$$w0rd passwords mypassword newpassword changeme changeit
  letmein letmeinnow welcome welcomeback welcomehome admin administrator adminadmin administrador root rootroot toor
  user useruser username guest guestguest test testtest testing tester secret secretsecret topsecret master supermaster
  default login loginlogin temp temporary access computer internet server database system manager service support
  company office octavo octavooctavo gitbook documentation

  qwerty qwertyui qwertyuiop qwertyuiopasdf qwertyqwerty asdfgh asdfghjkl asdfghjklzxcvbnm asdfasdf asdfasdfasdf
  zxcvbn zxcvbnm zxcvbnmasd qwertz qwertzuiop azerty azertyuiop qazwsx qazwsxedc qazwsxedcrfv qweasd qweasdzxc q1w2e3r
  q1w2e3r4t q1w2e3r4t5y q2w3e q2w3e4r q2w3e4r5t q2w3e4r5t6y w2e3r4t w3e4r5t qaz2wsx qaz2wsx3edc z2x3c4v abc abcd abcde
  abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijk abcdefghijklmnopqrstuvwxyz abcabc abcabcabc a1b2c3d a1b2c3d4e
  a1s2d3f a1s2d3f4g

  iloveyou iloveyouforever iloveme ilovejesus ilovemyself ilovemyfamily princess sunshine football baseball basketball
  superman batman spiderman starwars pokemon dragon monkey shadow michael jennifer jessica michelle christopher elizabeth
  alexander trustno trustnobody whatever nothing something forever freedom liverpool chelsea arsenal manchester barcelona
  realmadrid metallica slipknot butterfly chocolate strawberry sweetheart beautiful lovelove blink letmeinplease
  justinbieber hello hellohello helloworld hunter killer summer winter spring autumn monday friday january december
  correcthorsebatterystaple opensesame nopassword

  01234567890 0123456789 012345678910 1234567890 12345678910 1234567891 12345678901 123456789012 1234567890123 123456789123
  1234512345 123123123123 1231231231 0987654321 9876543210 987654321098 1122334455 11223344556 112233445566 1029384756
  1020304050 1357924680 3141592653 31415926535 1472583690 7894561230 1212121212 1234554321
  `
    .trim()
    .split(/\s+/),
)
