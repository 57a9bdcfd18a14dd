import express from 'express'
import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { readHostOfRequest } from '../../../src/edge/http/host.ts'

/** The host that chooses an upstream, behind a proxy whose X-Forwarded-For is trusted. */

function hostsOf(isForwardedTrusted: boolean, headers: Readonly<Record<string, string>>) {
  const app = express().set('trust proxy', 1)
  if (!isForwardedTrusted) readHostOfRequest(app)
  app.use((req, res) => res.json({ host: req.host, hostname: req.hostname, ip: req.ip }))
  return request(app).get('/').set(headers)
}

const forged = {
  host: 'api.example:8402',
  'x-forwarded-host': 'shop.example',
  'x-forwarded-for': '192.0.2.7',
}

describe('X-Forwarded-Host', () => {
  test('does not count because TRUST_PROXY is set, while X-Forwarded-For does', async () => {
    const { body } = await hostsOf(false, forged)
    expect(body).toEqual({ host: 'api.example:8402', hostname: 'api.example', ip: '192.0.2.7' })
  })

  test('counts with TRUST_FORWARDED_HOST', async () => {
    expect((await hostsOf(true, forged)).body).toMatchObject({ host: 'shop.example' })
  })
})
