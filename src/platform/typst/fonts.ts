// Fonts of documents, by what they are written in. Each comes with a package, so that a document looks the same on every
// server; what they do not have, an operator's own folder of fonts may.

type Family = {
  readonly name: string
  /** Of packages. */
  readonly files: readonly string[]
  /** Scripts that it is for, by their names in Unicode; of a family without any, every document has need. */
  readonly scripts: readonly string[]
  /** The languages, of those that share its characters, that read its forms of them. */
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
  /** In the order in which a character is looked for. */
  readonly text: readonly string[]
  readonly code: string
  readonly formulas: string
  /** Of packages. */
  readonly files: readonly string[]
  /** Scripts that no family is for. */
  readonly missing: readonly string[]
}

/** What a document in these scripts needs. Chinese characters look as the language reads them, where it is known. */
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
