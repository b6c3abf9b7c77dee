/** The most frequent words in leaked passwords. Twelve characters made only of these are too easy to guess. */
import 'server-only'

/** Lower case, letters only; digits, symbols and leetspeak are removed or replaced before comparing. */
export const commonWords: ReadonlySet<string> = new Set(
  `password passwort passwd pass passphrase letmein welcome willkommen changeme changeit change default secret admin
  administrator root user guest test tester testing master login logon server servers hello hallo iloveyou love monkey dragon
  sunshine princess football baseball basketball soccer hockey superman batman spiderman starwars pokemon shadow michael
  jennifer jordan thomas daniel andrew charlie robert george jessica ashley nicole hannah michelle summer winter spring
  autumn monday friday january december qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm yxcvbnm
  abc abcd abcdef abcdefg abcdefgh freedom whatever trustno trustnoone trustme computer internet google facebook samsung
  killer pepper cookie cheese banana chocolate flower purple orange silver golden ginger tigger maggie buster mustang
  corvette ferrari mercedes harley yankees liverpool arsenal chelsea barcelona juventus matrix ninja phoenix hunter
  ranger access security secure private temp temporary database mysql debian ubuntu linux windows apple company office
  gatehouse portal team my the is a i am you me this new one not very best your our correct horse battery staple`.split(/\s+/),
)

/** Keyboard rows, for passwords typed along them in either direction. */
export const keyboardRows: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  '!@#$%^&*()',
  '!"§$%&/()=',
]
