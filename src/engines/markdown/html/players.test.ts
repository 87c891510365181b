import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAYER_ORIGINS, playerOf } from './players.ts'

test('the addresses that people copy become those of the players, on their own hosts', () => {
  const youTube = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'
  const players = {
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3': youTube,
    'https://youtu.be/dQw4w9WgXcQ?si=x': youTube,
    'https://youtube.com/shorts/dQw4w9WgXcQ': youTube,
    'https://vimeo.com/12345': 'https://player.vimeo.com/video/12345',
    'https://www.loom.com/share/ab12': 'https://www.loom.com/embed/ab12',
    'https://codepen.io/someone/pen/AbCd': 'https://codepen.io/someone/embed/AbCd',
  }
  for (const [address, player] of Object.entries(players)) assert.equal(playerOf(address), player)
  assert.match(
    playerOf('https://www.figma.com/design/AbC/Name?node-id=1') ?? '',
    /^https:\/\/www\.figma\.com\/embed\?embed_host=octavo&url=https%3A%2F%2Fwww\.figma\.com%2Fdesign%2FAbC/,
  )
})

test('no other host, and no other page of a named one, has a player', () => {
  for (const address of [
    'https://youtube.com.evil.test/watch?v=dQw4w9WgXcQ',
    'https://evil.test/?https://youtu.be/dQw4w9WgXcQ',
    'https://youtube.com/watch?v=../../x',
    'https://youtube.com@evil.test/embed/dQw4w9WgXcQ',
    'javascript:alert(1)//youtu.be/dQw4w9WgXcQ',
    'https://www.figma.com/community',
    'https://vimeo.com/about',
    'youtu.be/dQw4w9WgXcQ',
  ]) {
    const player = playerOf(address)
    assert.ok(player === undefined, `${address} → ${player}`)
  }
  assert.equal(PLAYER_ORIGINS.length, 5)
})
