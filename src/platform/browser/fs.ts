/** What `pcap-parser` imports of the module `fs` of Node.js: nothing of it is used, as it is given its bytes. */
export {};
