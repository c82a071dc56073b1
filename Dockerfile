# BlueKrait in a container. Built once, with a network; after that it starts without one.
#
#   docker build --tag bluekrait .
#   docker run --rm --interactive bluekrait                 speak UCI with it
#   docker run --rm bluekrait bench                         one command
#
# The engine is compiled for the processor of the machine that builds the image. On another kind of processor the
# first start compiles anew, which takes about a minute.
FROM python:3.13-slim

COPY . /tmp/bluekrait
RUN pip install --no-cache-dir /tmp/bluekrait && rm -r /tmp/bluekrait

RUN useradd --create-home --uid 1000 chess
USER 1000
WORKDIR /home/chess
RUN bluekrait warmup

ENTRYPOINT ["bluekrait"]
