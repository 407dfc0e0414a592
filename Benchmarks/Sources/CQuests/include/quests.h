#ifndef CQUESTS_H
#define CQUESTS_H
#include <stdint.h>

// An enemy of any level, with all that does not change computed in advance.
typedef struct {
  int32_t hp, attack, defense, multiplier, base_experience, interval;
  // A draw of 16 bits below this evades.
  uint16_t evasion;
  // In hundredths; 100 beyond the last type.
  uint16_t effects[4];
} quest_kind;

typedef struct {
  uint64_t id;
  int64_t level, current_hit_points, total_hit_points, multiplier, defense, evasion, speed;
} quest_fighter;

typedef struct {
  int64_t outcome, tick, events, kills, level, hit_points, total_hit_points, experience, dealt, taken;
} quest_result;

typedef struct {
  const quest_kind *_Nonnull kinds;
  uint64_t kind_count;
  uint64_t seed;
  int64_t foes, goal, limit;
} quest_world;

// Computes one quest.
void quest_run(const quest_world *_Nonnull world, const quest_fighter *_Nonnull fighter,
               uint64_t number, quest_result *_Nonnull result);

// Computes one quest and writes its events, 8 bytes each, from `events` on, of which `room` fit; those
// beyond are counted only. Returns how many there were.
uint64_t quest_run_logged(const quest_world *_Nonnull world, const quest_fighter *_Nonnull fighter,
                          uint64_t number, quest_result *_Nonnull result,
                          uint64_t *_Nonnull events, uint64_t room);
#endif
