import { expect, test } from 'vitest'
import { siteName } from '../../../src/edge/handlers/scans/site-name.ts'

test.each([
  ['www.Example.com', 'example.com'],
  [' example.com. ', 'example.com'],
  ['Bäcker.example', 'xn--bcker-gra.example'],
  ['192.0.2.7', '192.0.2.7'],
])('the site %j is %j', (written, name) => {
  expect(siteName.parse(written)).toBe(name)
})

test.each([
  '',
  '*',
  '*.example.com',
  '.example.com',
  'a..example.com',
  '%',
  'example.com:80',
  'a b.example',
  '[::1]',
])('the text %j names no site', (written) => {
  expect(siteName.safeParse(written).success).toBe(false)
})
