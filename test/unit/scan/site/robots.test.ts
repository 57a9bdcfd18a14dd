import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../../src/products/scan/site/capture.ts'
import {
  readRobots,
  searchBots,
  trainingBots,
  userBots,
} from '../../../../src/products/scan/site/files/robots.ts'
import { type ReplyEntry, reply } from '../../../support/scans/captured.ts'

const origin = 'https://site.example'
const read = (entry: string | ReplyEntry) => readRobots(reply(`${origin}/robots.txt`, entry), origin)
const isAllowed = (body: string, agent: string, path: string) =>
  read(body).isAllowed(agent, `${origin}${path}`)

describe('the state of robots.txt', () => {
  const html = { 'content-type': 'text/html' }
  test.each<[string, ReplyEntry, string, boolean]>([
    ['text with 200', { body: 'User-agent: *\nDisallow: /' }, 'ok', false],
    ['text without a type', { body: 'User-agent: *', headers: { 'content-type': [] } }, 'ok', true],
    ['404', { status: 404, body: 'User-agent: *\nDisallow: /' }, 'absent', true],
    ['a redirect without end', { status: 301 }, 'absent', true],
    ['HTML with 200', { body: '<p>x', headers: html }, 'broken', true],
    ['HTML that says it is text', { body: '\n<!DOCTYPE html><p>x' }, 'broken', true],
    [
      'rules of another type, which are obeyed all the same',
      { body: 'User-agent: *\nDisallow: /', headers: { 'content-type': 'application/json' } },
      'broken',
      false,
    ],
    ['500', { status: 500 }, 'unreachable', false],
    [
      '503 with rules that would allow',
      { status: 503, body: 'User-agent: *\nAllow: /' },
      'unreachable',
      false,
    ],
  ])('%s', (_, entry, state, allowed) => {
    const robots = read(entry)
    expect([robots.state, robots.isAllowed('tollgate', `${origin}/a`)]).toEqual([state, allowed])
  })

  test.each<Exchange | undefined>([
    undefined,
    { outcome: 'failed', purpose: 'robots', url: `${origin}/robots.txt`, reason: 'timeout', message: 'x' },
  ])('without a reply to robots.txt no crawler may read anything', (exchange) => {
    const robots = readRobots(exchange, origin)
    expect([robots.state, robots.status, robots.isAllowed('Googlebot', `${origin}/`)]).toEqual([
      'unreachable',
      undefined,
      false,
    ])
  })
})

describe('what a crawler may read', () => {
  test.each([
    [
      'a group of its own replaces the group of *',
      'User-agent: *\nDisallow: /\nUser-agent: GPTBot\nAllow: /',
      'GPTBot',
      '/',
      true,
    ],
    [
      'a crawler without a group follows *',
      'User-agent: *\nDisallow: /\nUser-agent: GPTBot\nAllow: /',
      'Bingbot',
      '/',
      false,
    ],
    [
      'names in any case and with a version',
      'user-AGENT: gptbot/1.0 (x)\nDISALLOW: /',
      'GPTBot/1.2 (+https://x.example)',
      '/',
      false,
    ],
    ['the longest rule wins', 'User-agent: *\nDisallow: /a\nAllow: /a/b', 'x', '/a/b/c', true],
    ['allow wins among equals', 'User-agent: *\nDisallow: /a\nAllow: /a', 'x', '/a', true],
    ['an empty Disallow forbids nothing', 'User-agent: *\nDisallow:', 'x', '/a', true],
    ['wildcards and ends', 'User-agent: *\nDisallow: /*.pdf$', 'x', '/a/b.pdf', false],
    ['the end is the end', 'User-agent: *\nDisallow: /*.pdf$', 'x', '/a/b.pdf?c', true],
    ['the query counts', 'User-agent: *\nDisallow: /*?session=', 'x', '/a?session=1', false],
    ['escapes in any case', 'User-agent: *\nDisallow: /%c3%bc', 'x', '/ü', false],
    ['letters that a rule escapes', 'User-agent: *\nDisallow: /%70rivate', 'x', '/private', false],
    ['letters that an address escapes', 'User-agent: *\nDisallow: /private', 'x', '/%70%72ivate', false],
    ['a slash that is escaped is none', 'User-agent: *\nDisallow: /a/b', 'x', '/a%2Fb', true],
    ['characters that an address may leave as they are', 'User-agent: *\nDisallow: /a|b', 'x', '/a|b', false],
    [
      'several names share a group, also with a Sitemap line between',
      'User-agent: a\nSitemap: /s\nUser-agent: b\nDisallow: /',
      'a',
      '/',
      false,
    ],
    [
      'groups of one name are one',
      'User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /\nUser-agent: a\nDisallow: /y',
      'a',
      '/y',
      false,
    ],
    ['rules before any group apply to no crawler', 'Disallow: /\nUser-agent: *\nAllow: /', 'x', '/', true],
    [
      'comments and a byte order mark are ignored',
      '\ufeffUser-agent: * # all\r\nDisallow: /a # b',
      'x',
      '/a',
      false,
    ],
    ['__proto__ is a name like others', 'User-agent: __proto__\nDisallow: /', 'x', '/', true],
  ])('%s', (_, body, agent, path, expected) => expect(isAllowed(body, agent, path)).toBe(expected))

  test('a robots.txt rules its host with and without www. and over http, and no other host', () => {
    const robots = read('User-agent: *\nDisallow: /')
    expect(
      ['https://www.site.example/', 'http://site.example/', 'https://cdn.site.example/', 'not a url'].map(
        (url) => robots.isAllowed('x', url),
      ),
    ).toEqual([false, false, true, true])
  })

  test('beyond 8,192 characters of wildcard rules, a prohibition forbids more than it says and a permission is ignored', () => {
    const filler = `Disallow: /${'x*'.repeat(8_300)}\n`
    const body = (rule: string) => `User-agent: *\n${filler}${rule}`
    expect(isAllowed(body('Disallow: /b/*c'), 'x', '/b/d')).toBe(false)
    expect(isAllowed('User-agent: *\nDisallow: /b/*c', 'x', '/b/d')).toBe(true)
    expect(isAllowed(body('Disallow: /b\nAllow: /b/*c'), 'x', '/b/c')).toBe(false)
    expect(isAllowed(body('Disallow: *c'), 'x', '/d')).toBe(false)
  })

  test('a group of 12,000 names and 12,000 rules keeps each rule once', () => {
    const body = `${'User-agent: GPTBot\n'.repeat(12_000)}${'Disallow: /a\n'.repeat(12_000)}`
    expect([isAllowed(body, 'GPTBot', '/a'), isAllowed(body, 'CCBot', '/a')]).toEqual([false, true])
  })

  test('a repeated rule counts once, and the first 5,000 rules for a name apply', () => {
    const equal = `User-agent: *\nDisallow: /a\nAllow: /a\n${'Disallow: /a\n'.repeat(30_000)}`
    expect(read(equal).groups[0]?.rules).toEqual([
      { type: 'disallow', path: '/a' },
      { type: 'allow', path: '/a' },
    ])
    const rules = Array.from({ length: 6_000 }, (_, index) => `Disallow: /${index}/\n`)
    const inOne = `User-agent: *\n${rules.join('')}`
    const inMany = rules.map((rule) => `User-agent: *\n${rule}`).join('')
    for (const body of [inOne, inMany]) {
      expect(isAllowed(body, 'x', '/4999/')).toBe(false)
      expect(isAllowed(body, 'x', '/5000/')).toBe(true)
    }
    expect(read(inOne).groups[0]?.rules).toHaveLength(5_000)
  })

  test('a file of 15,000 wildcard rules forbids the paths that its first rules match', () => {
    const rules = Array.from({ length: 15_000 }, (_, index) => `Disallow: /*a*a*a*a*a*a*ab${index}\n`)
    const body = `User-agent: *\n${rules.join('')}`
    expect(isAllowed(body, 'x', `/${'a'.repeat(2_000)}`)).toBe(false)
  })
})

test('groups, signals and sitemaps of robots.txt are read as they are written', () => {
  const robots = read(
    'Content-Signal: search=no\nUser-agent: *\nUser-agent: GPTBot/2\nContent-Signal: search=yes, ai-train=no # x\nAllow: /\nCrawl-delay: 3\nContent-Usage: /a train-ai=n\n\nUser-agent: CCBot\nDisallow: /\nSitemap: /s.xml\nSITEMAP:https://cdn.example/s.xml\nSitemap: /s.xml\nSitemap: ftp://x',
  )
  expect(robots.groups).toEqual([
    {
      agents: ['*', 'GPTBot'],
      rules: [{ type: 'allow', path: '/' }],
      signals: ['Content-Signal: search=yes, ai-train=no', 'Content-Usage: /a train-ai=n'],
    },
    { agents: ['CCBot'], rules: [{ type: 'disallow', path: '/' }], signals: [] },
  ])
  expect(robots.looseSignals).toEqual(['Content-Signal: search=no'])
  expect(robots.sitemaps).toEqual(['https://site.example/s.xml', 'https://cdn.example/s.xml'])
  expect([robots.url, robots.contentType, robots.status]).toEqual([
    'https://site.example/robots.txt',
    'text/plain',
    200,
  ])
})

test('no bot is in two lists, because sites shut them out for different reasons', () => {
  const all = [...searchBots, ...userBots, ...trainingBots].map((name) => name.toLowerCase())
  expect(new Set(all).size).toBe(all.length)
})
