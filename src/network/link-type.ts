/**
 * Link types (LINKTYPE_* of the tcpdump registry) that lead to IP; 12 and 14 are what "raw IP" is called by some
 * systems.
 */
export const LinkType = {
  null: 0,
  ethernet: 1,
  ppp: 9,
  rawIpOld: 12,
  rawIpOpenBsd: 14,
  pppHdlc: 50,
  pppoe: 51,
  rawIp: 101,
  ciscoHdlc: 104,
  ieee80211: 105,
  loop: 108,
  linuxCooked: 113,
  radiotap: 127,
  pppd: 166,
  ppi: 192,
  pppWithDirection: 204,
  ciscoHdlcWithDirection: 205,
  mpls: 219,
  ipv4: 228,
  ipv6: 229,
  nflog: 239,
  pktap: 258,
  linuxCooked2: 276,
} as const;
