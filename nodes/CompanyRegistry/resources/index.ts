export { apiKey } from './apiKey';
export { company } from './company';
export { creditRecommendation } from './creditRecommendation';
export { idnoResource } from './idno';
