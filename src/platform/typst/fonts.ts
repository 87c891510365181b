// Fonts for documents, by script. They come with packages, so that a document looks the same on every server; an
// operator's own folder of fonts may supply the rest.

type Family = {
  readonly name: string
  /** Paths in packages. */
  readonly files: readonly string[]
  /** The scripts it is for, by Unicode name; a family without scripts is for every document. */
  readonly scripts: readonly string[]
  /** Of the languages that share its characters, those that use its forms of them. */
  readonly languages?: readonly string[]
}

const noto = (folder: string, ...names: readonly string[]) =>
  names.map(name => `@embedpdf/fonts-${folder}/fonts/${name}`)

const TEXT: Family = {
  name: 'Noto Sans',
  files: noto('latin', ...['Regular', 'Bold', 'Italic', 'BoldItalic'].map(style => `NotoSans-${style}.ttf`)),
  scripts: [],
}
const CODE: Family = {
  name: 'DejaVu Sans Mono',
  files: ['DejaVuSansMono.ttf', 'DejaVuSansMono-Bold.ttf'].map(name => `dejavu-fonts-ttf/ttf/${name}`),
  scripts: [],
}
const FORMULAS: Family = {
  name: 'DejaVu Math TeX Gyre',
  files: ['dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf'],
  scripts: [],
}
/** Arrows, boxes, marks and many small scripts. */
const SIGNS: Family = {
  name: 'DejaVu Sans',
  files: ['dejavu-fonts-ttf/ttf/DejaVuSans.ttf'],
  scripts: [],
}

const OF_SCRIPTS: readonly Family[] = [
  {
    name: 'Noto Sans Japanese',
    files: noto('jp', 'NotoSansJP-Regular.otf', 'NotoSansJP-Bold.otf'),
    scripts: ['Hiragana', 'Katakana'],
    languages: ['ja'],
  },
  {
    name: 'Noto Sans Korean',
    files: noto('kr', 'NotoSansKR-Regular.otf', 'NotoSansKR-Bold.otf'),
    scripts: ['Hangul'],
    languages: ['ko'],
  },
  {
    name: 'Noto Sans S Chinese',
    files: noto('sc', 'NotoSansHans-Regular.otf', 'NotoSansHans-Bold.otf'),
    scripts: ['Han', 'Bopomofo'],
    languages: ['zh'],
  },
  {
    name: 'Noto Naskh Arabic',
    files: noto('arabic', 'NotoNaskhArabic-Regular.ttf', 'NotoNaskhArabic-Bold.ttf'),
    scripts: ['Arabic'],
  },
  {
    name: 'Noto Sans Hebrew',
    files: noto('hebrew', 'NotoSansHebrew-Regular.ttf', 'NotoSansHebrew-Bold.ttf'),
    scripts: ['Hebrew'],
  },
  {
    name: 'Noto Emoji',
    files: ['400Regular/NotoEmoji_400Regular.ttf', '700Bold/NotoEmoji_700Bold.ttf'].map(
      name => `@expo-google-fonts/noto-emoji/${name}`,
    ),
    scripts: ['Emoji'],
  },
]

export type Fonts = {
  /** In the order in which a character is looked up. */
  readonly text: readonly string[]
  readonly code: string
  readonly formulas: string
  /** Paths in packages. */
  readonly files: readonly string[]
  /** Scripts without a family. */
  readonly missing: readonly string[]
}

/** The fonts for a document in these scripts. Chinese characters take the forms of the language, if it is known. */
export function fontsFor(scripts: readonly string[], language: string | null): Fonts {
  const own = language?.toLowerCase().split('-')[0] ?? ''
  const needed = OF_SCRIPTS.filter(
    family => family.scripts.some(script => scripts.includes(script)) || family.languages?.includes(own),
  )
  const ordered = [...needed].sort((a, b) => Number(isOf(b, own)) - Number(isOf(a, own)))
  const families = [TEXT, ...ordered, SIGNS]
  return {
    text: families.map(({ name }) => name),
    code: CODE.name,
    formulas: FORMULAS.name,
    files: [...families, CODE, FORMULAS].flatMap(({ files }) => files),
    missing: scripts.filter(script => !OF_SCRIPTS.some(family => family.scripts.includes(script))),
  }
}

const isOf = (family: Family, language: string): boolean => family.languages?.includes(language) ?? false
