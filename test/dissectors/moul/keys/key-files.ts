import { bytesOf, fixtureKeys, sampleKeys } from "./samples.js";

/** A key file of each format. */
export const whole: readonly Uint8Array[] = [
  sampleKeys("dirtsand/dirtsand.ini"),
  sampleKeys("dirtsand/server.ini"),
  sampleKeys("nagus/nagus_config.ini"),
  sampleKeys("nagus/server.ini"),
  fixtureKeys("moss/auth_key.der"),
  fixtureKeys("moss/openssl-g41.der"),
  fixtureKeys("moss/openssl-g41.pem"),
  fixtureKeys("moss/openssl-g41-encrypted.der"),
  fixtureKeys("moss/rsa-pkcs8.der"),
  bytesOf(`[crypt_keys]\nauth.n = "${"8".repeat(86)}=="\nauth.k = "${"9".repeat(86)}=="\n`),
  bytesOf("MOUL_RC4 12 00112233445566\nMOUL_DH_B 12 34\n"),
  bytesOf(
    `static const unsigned kDhGValue = 41;\nbyte kDhNData[] = {${"0x7f,".repeat(64)}};\nbyte kDhXData[] = {${"1,".repeat(64)}};`,
  ),
];
