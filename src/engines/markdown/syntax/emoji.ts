// Emojis that Markdown names: `:rocket:`. Documents name them by code points in hex, joined by hyphens.
// The list holds the names that documentation uses most; any other name stays text.
import { matchAt } from './sticky.ts'

const NAMES = `
smile 1f604 smiley 1f603 grinning 1f600 grin 1f601 joy 1f602 rofl 1f923 wink 1f609 blush 1f60a heart_eyes 1f60d
thinking 1f914 thinking_face 1f914 sunglasses 1f60e slight_smile 1f642 slightly_smiling_face 1f642 cry 1f622
sob 1f62d scream 1f631 rage 1f621 sleeping 1f634 hugging 1f917 nerd 1f913 nerd_face 1f913 partying_face 1f973
tada 1f389 confetti_ball 1f38a rocket 1f680 fire 1f525 sparkles 2728 star 2b50 star2 1f31f zap 26a1 boom 1f4a5
bulb 1f4a1 gear 2699 wrench 1f527 hammer 1f528 tools 1f6e0 hammer_and_wrench 1f6e0 toolbox 1f9f0 nut_and_bolt 1f529
key 1f511 lock 1f512 unlock 1f513 shield 1f6e1 closed_lock_with_key 1f510 bell 1f514 no_bell 1f515 mega 1f4e3
loudspeaker 1f4e2 warning 26a0 rotating_light 1f6a8 construction 1f6a7 no_entry 26d4 no_entry_sign 1f6ab
stop_sign 1f6d1 octagonal_sign 1f6d1 x 274c heavy_check_mark 2714 white_check_mark 2705 ballot_box_with_check 2611
heavy_multiplication_x 2716 negative_squared_cross_mark 274e question 2753 grey_question 2754 exclamation 2757
grey_exclamation 2755 bangbang 203c information_source 2139 information 2139 memo 1f4dd pencil 1f4dd pencil2 270f
book 1f4d6 books 1f4da blue_book 1f4d8 green_book 1f4d7 orange_book 1f4d9 closed_book 1f4d5 notebook 1f4d3
ledger 1f4d2 bookmark 1f516 bookmark_tabs 1f4d1 page_facing_up 1f4c4 page_with_curl 1f4c3 scroll 1f4dc
clipboard 1f4cb pushpin 1f4cc round_pushpin 1f4cd paperclip 1f4ce link 1f517 triangular_ruler 1f4d0 scissors 2702
file_folder 1f4c1 open_file_folder 1f4c2 card_index_dividers 1f5c2 file_cabinet 1f5c4 wastebasket 1f5d1
package 1f4e6 inbox_tray 1f4e5 outbox_tray 1f4e4 email 1f4e7 envelope 2709 incoming_envelope 1f4e8 mailbox 1f4eb
calendar 1f4c6 date 1f4c5 spiral_calendar 1f5d3 alarm_clock 23f0 stopwatch 23f1 hourglass 231b
hourglass_flowing_sand 23f3 watch 231a chart_with_upwards_trend 1f4c8 chart_with_downwards_trend 1f4c9
bar_chart 1f4ca moneybag 1f4b0 dollar 1f4b5 credit_card 1f4b3 gem 1f48e receipt 1f9fe briefcase 1f4bc
computer 1f4bb desktop 1f5a5 desktop_computer 1f5a5 iphone 1f4f1 phone 260e telephone_receiver 1f4de keyboard 2328
printer 1f5a8 floppy_disk 1f4be cd 1f4bf dvd 1f4c0 electric_plug 1f50c battery 1f50b satellite 1f4e1
magnifying_glass 1f50d mag 1f50d mag_right 1f50e microscope 1f52c telescope 1f52d test_tube 1f9ea dna 1f9ec
camera 1f4f7 video_camera 1f4f9 movie_camera 1f3a5 clapper 1f3ac tv 1f4fa headphones 1f3a7 musical_note 1f3b5
art 1f3a8 paintbrush 1f58c jigsaw 1f9e9 video_game 1f3ae dart 1f3af trophy 1f3c6 medal 1f3c5 crown 1f451
thumbsup 1f44d +1 1f44d thumbsdown 1f44e -1 1f44e clap 1f44f wave 1f44b raised_hands 1f64c pray 1f64f muscle 1f4aa
point_right 1f449 point_left 1f448 point_up 261d point_up_2 1f446 point_down 1f447 ok_hand 1f44c handshake 1f91d
eyes 1f440 brain 1f9e0 busts_in_silhouette 1f465 bust_in_silhouette 1f464 robot 1f916 ghost 1f47b alien 1f47d
bug 1f41b ant 1f41c bee 1f41d butterfly 1f98b cat 1f431 dog 1f436 unicorn 1f984 whale 1f433 octopus 1f419
penguin 1f427 snake 1f40d crab 1f980 turtle 1f422 seedling 1f331 deciduous_tree 1f333 evergreen_tree 1f332
four_leaf_clover 1f340 rainbow 1f308 sunny 2600 sun_with_face 1f31e cloud 2601 umbrella 2614 snowflake 2744
ocean 1f30a droplet 1f4a7 earth_africa 1f30d earth_americas 1f30e earth_asia 1f30f globe_with_meridians 1f310
world_map 1f5fa compass 1f9ed house 1f3e0 office 1f3e2 school 1f3eb hospital 1f3e5 bank 1f3e6 factory 1f3ed
building_construction 1f3d7 classical_building 1f3db car 1f697 bus 1f68c train 1f686 ship 1f6a2 airplane 2708
satellite_orbital 1f6f0 bike 1f6b2 vertical_traffic_light 1f6a6 anchor 2693 coffee 2615 tea 1f375 beer 1f37a
beers 1f37b pizza 1f355 cookie 1f36a cake 1f370 apple 1f34e lemon 1f34b gift 1f381 balloon 1f388
heart 2764 blue_heart 1f499 green_heart 1f49a yellow_heart 1f49b purple_heart 1f49c orange_heart 1f9e1 broken_heart 1f494
red_circle 1f534 orange_circle 1f7e0 yellow_circle 1f7e1 green_circle 1f7e2 large_blue_circle 1f535 blue_circle 1f535
white_circle 26aa black_circle 26ab small_blue_diamond 1f539 small_orange_diamond 1f538 large_blue_diamond 1f537
arrow_right 27a1 arrow_left 2b05 arrow_up 2b06 arrow_down 2b07 arrows_counterclockwise 1f504 repeat 1f501
recycle 267b heavy_plus_sign 2795 heavy_minus_sign 2796 infinity 267e copyright a9 registered ae tm 2122
one 31-20e3 two 32-20e3 three 33-20e3 four 34-20e3 five 35-20e3 six 36-20e3 seven 37-20e3 eight 38-20e3
nine 39-20e3 zero 30-20e3 keycap_ten 1f51f new 1f195 free 1f193 ok 1f197 cool 1f192 soon 1f51c end 1f51a
checkered_flag 1f3c1 triangular_flag_on_post 1f6a9 crossed_flags 1f38c flag_white 1f3f3 pirate_flag 1f3f4-200d-2620-fe0f
`

const PAIRS = Array.from(
  NAMES.matchAll(/(?<!\S)(\S+)\s(\S+)/g),
  ([, name = '', code = '']) => [name, code] as const,
)
const codes = new Map(PAIRS)
const names = new Map(PAIRS.toReversed().map(([name, code]) => [code, name]))

/** The first name of an emoji in the list; undefined where it has none. */
export const emojiName = (code: string): string | undefined => names.get(code)

/** A name between colons that does not touch a word on either side, so that `10:30:00` is no emoji. */
const SHORTCODE = /(?<![\p{L}\p{N}:]):([a-z0-9_+-]{1,40}):(?![\p{L}\p{N}:])/gu

const SHORTCODE_HERE = /:([a-z0-9_+-]{1,40}):/y

/** Whether the name of an emoji begins at `at`, whatever is around it. */
export const isEmojiAt = (text: string, at: number): boolean =>
  codes.has(matchAt(SHORTCODE_HERE, text, at)?.[1] ?? '')

export type EmojiPart = { readonly text: string } | { readonly code: string }

/** Splits text at the emojis that it names. */
export function splitEmojis(value: string): EmojiPart[] {
  if (!value.includes(':')) return [{ text: value }]
  const parts: EmojiPart[] = []
  let from = 0
  for (const match of value.matchAll(SHORTCODE)) {
    const code = codes.get(match[1] ?? '')
    if (code === undefined) continue
    parts.push({ text: value.slice(from, match.index) }, { code })
    from = match.index + match[0].length
  }
  parts.push({ text: value.slice(from) })
  return parts
}

const CODE = /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,9}$/i
const LAST_CODE_POINT = 0x10ffff

/** The emoji itself; undefined for what is not a code. */
export function renderEmoji(code: string): string | undefined {
  if (!CODE.test(code)) return undefined
  const points = code.split('-').map(part => Number.parseInt(part, 16))
  return points.every(isCharacter) ? String.fromCodePoint(...points) : undefined
}

/** Control characters and lone surrogates are not emojis. */
const isCharacter = (point: number): boolean =>
  point > 0x1f && point <= LAST_CODE_POINT && !(point >= 0xd800 && point <= 0xdfff)
