/**
 * Makes a capture of encrypted traffic, with its keys: `make.js PATH SIZE_IN_MB [JSON]`, after `npm run tools` has
 * compiled it.
 */
import { makeTraffic, type TrafficOptions } from "./traffic.js";

const [path = "traffic", megabytes = "50", more = "{}"] = process.argv.slice(2);
const options: Partial<TrafficOptions> = JSON.parse(more);
console.log(JSON.stringify(makeTraffic(path, { size: Number(megabytes) * 1e6, ...options })));
