using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Rendering;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Serves the sound of the game as a file, which ends with the stream or after a given time.</summary>
internal static class SoundStream
{
    private const int SampleRate = GameSound.SampleRate;
    private const int BytesPerPair = GameSound.BytesPerPair;

    // a longer gap is not filled: the emulator was restarted, or the game was not heard for minutes
    private const long MaxGap = 10 * SampleRate;

    private static readonly byte[] Silence = new byte[SampleRate / 50 * BytesPerPair];

    private static readonly Parameters<Request> Requests = Parameters.Of(
        Parameter.Number("seconds", 0.1, 3_600, "How many seconds of the game; without it, until one side ends the stream.").Optional() with { Example = "1" },
        Parameter.Choice<SoundFormat>("format", "The form of the file. Opus needs the library libopus.").Or(SoundFormat.Wav),
        Parameter.Integer("bitrate", 16, 256, "About how many kbit a second of Opus has; WAV has always the same.").Or(96),
        static (seconds, format, bitrate) => new Request(seconds, format, bitrate));

    public static HandlerOperation<Request, HttpResult> Operation { get; } = new(new Resource("Sound", CommonJson.Default), "sound.stream", HttpMethods.Get, "/v2/sound", Access.Read)
    {
        Request = Requests,
        Run = static (invocation, request) => ValueTask.FromResult(StreamOf(invocation.Emulator, request)),
        IsHttpOnly = true,
        Summary = "The sound of the game, as WAV or Opus",
        Description = "16-bit PCM, stereo, 48,000 samples a second of the game, from now on, or the same as Opus in packets of 20 ms. Nothing is sent while no frame runs. Sound that the caller does "
            + "not take in time is replaced by silence of the same length. A WAV file gives the sizes of `seconds`, or the largest that WAV can have. On a WebSocket, subscribe to the topic `sound`.",
        Contents = [Content.Bytes("audio/wav"), Content.Bytes("audio/ogg")],
        Statuses = [(FailureKind.Unsupported, "the sound of an mGBA window is not available to scripts; or libopus, which encodes Opus, is not installed.")],
    };

    private static Result<HttpResult> StreamOf(EmulatorClient emulator, Request request) => request.Format == SoundFormat.Opus && OpusEncoder.Missing is { } missing
        ? new Failure(FailureKind.Unsupported, missing)
        : EmulatorStream.Of(emulator, (http, over) => SendAsync(http, emulator, request, over));

    private static async Task<Failure?> SendAsync(HttpContext http, EmulatorClient emulator, Request request, CancellationToken over)
    {
        using var subscription = emulator.Events.Join();
        if ((await emulator.Events.AddAsync(subscription, [new EventTopic(EventNames.Sound)], null, over)).Failure is { } failure)
        {
            return Failure.Of(failure);
        }

        using ISoundFile file = request.Format == SoundFormat.Opus ? new OggOpusFile(request.Bitrate * 1_000) : new WavFile();
        var pairs = request.Seconds is { } limit ? (long)Math.Round(limit * SampleRate) : (long?)null;
        http.Response.ContentType = file.MediaType;
        http.Response.Headers.CacheControl = "no-store";
        http.Response.ContentLength = pairs is { } known ? file.SizeOf(known) : null;
        var output = http.Response.BodyWriter;
        file.Begin(output, pairs);
        await output.FlushAsync(over);
        var left = pairs * BytesPerPair ?? long.MaxValue;
        long? next = null;
        await foreach (var received in subscription.Waiting.ReadAllAsync(over))
        {
            if (received.Kind != EventNames.Sound || received.ReadInteger("sample"u8) is not { } sample)
            {
                continue;
            }

            if (next is { } expected && sample - expected is > 0 and <= MaxGap and var gap)
            {
                for (var missing = Math.Min(gap * BytesPerPair, left); missing > 0;)
                {
                    var part = (int)Math.Min(missing, Silence.Length);
                    file.Write(output, Silence.AsSpan(0, part));
                    (missing, left) = (missing - part, left - part);
                }
            }

            var samples = received.Bytes.Span[..(int)Math.Min(received.Bytes.Length, left)];
            file.Write(output, samples);
            left -= samples.Length;
            next = sample + (received.Bytes.Length / BytesPerPair);
            if (left == 0)
            {
                file.Complete(output);
            }

            await output.FlushAsync(over);
            if (left == 0)
            {
                return null;
            }
        }

        return null;
    }

    internal enum SoundFormat
    {
        Wav,
        Opus,
    }

    internal readonly record struct Request(double? Seconds, SoundFormat Format, int Bitrate);
}
