"""The records of self-play as kernels see them."""

from bluekrait.core.compiler.jit import record_reader
from bluekrait.search.self_play.game_records import Game, PackedBoard, Replay, Sample, SelfPlay

job_at, job_type = record_reader(SelfPlay)
replay_at, replay_type = record_reader(Replay)
sample_at = record_reader(Sample)[0]
game_at, game_type = record_reader(Game)
_, packed_board_type = record_reader(PackedBoard)
