using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Engines.Video;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Operations.Agents;

/// <summary>What the game shows in one frame: what an agent looks at.</summary>
/// <param name="Frame">The frame.</param>
/// <param name="Epoch">The epoch.</param>
/// <param name="Keys">The keys.</param>
/// <param name="Values">The values that were wanted, in their order.</param>
/// <param name="Text">The text on the screen, where the game's property map has a text table for it.</param>
/// <param name="Picture">The picture, or null.</param>
/// <param name="NoPicture">Why there is no picture although one was wanted.</param>
internal sealed record GameView(
    long Frame, Epoch Epoch, KeysAnswer Keys, IReadOnlyList<NamedValue> Values, IReadOnlyList<string> Text, IndexedPicture? Picture, string? NoPicture)
{
    /// <summary>Reads it in one batch; again while a pointer on the way to a value goes elsewhere.</summary>
    public static async ValueTask<Result<GameView>> ReadAsync(Invocation invocation, GameContext game, IReadOnlyList<(GameProperty Property, Location At)> wanted, bool hasPicture)
    {
        var glyphs = game.Names.Properties?.TextTables.GetValueOrDefault(ScreenText.TableName);
        var places = new ValueReaders(invocation.Emulator, game.IsGameBoy, wanted);
        string? noPicture = null;
        for (var round = 0; round < ValueReaders.MaxRounds; round++)
        {
            var batch = new BatchItems();
            batch.Add(new ReadKeys(), ItemResultKind.Bytes);
            if (places.Next(out var command) is { } tooMany)
            {
                return Failure.Of(tooMany);
            }

            if (places.HasPlaces)
            {
                batch.Add(command, ItemResultKind.Bytes);
            }

            if (glyphs is not null)
            {
                VideoReader.AddTo(batch, game.IsGameBoy);
            }

            var takesPicture = hasPicture && noPicture is null;
            if (takesPicture)
            {
                batch.Add(new ReadScreen(), ItemResultKind.Bytes);
            }

            using var reply = await invocation.Emulator.SendAsync(new RunBatch(batch), invocation.Options, invocation.Cancelled);
            if (reply.Failure is { } failure)
            {
                return Failure.Of(failure);
            }

            try
            {
                var results = new BatchReplies(reply);
                using var down = results.Next();
                using var read = places.HasPlaces ? results.Next() : null;
                var values = places.Take(read?.Tail ?? default);
                using var shown = glyphs is null ? null : results.Next();
                var text = shown is null ? [] : TextOf(shown, game.IsGameBoy, glyphs!);
                var picture = takesPicture ? results.Picture(out noPicture) : null;
                if (values is not null)
                {
                    return Result.At(new GameView(reply.Frame, reply.Epoch, KeysAnswer.Of(down), values, text, picture, noPicture), reply.Frame, reply.Epoch);
                }
            }
            catch (RequestFailedException exception)
            {
                return Failure.Of(exception.Failure);
            }
        }

        return ValueOperations.Unsettled();
    }

    private static IReadOnlyList<string> TextOf(Reply shown, bool isGameBoy, TextTable glyphs)
    {
        var (frame, failure) = VideoReader.Of(shown, isGameBoy);
        return frame is null ? throw new RequestFailedException(failure!) : ScreenText.Of(frame, glyphs);
    }

    // the results of a batch, one after the other, as replies of their own
    private ref struct BatchReplies(Reply batch)
    {
        private ItemResults _results = new(batch.Tail);

        public Reply Next() =>
            !_results.Read() ? throw new RequestFailedException(new CommandFailure(CommandFailureKind.NotOurs, "The script's answer to a batch lacks a result."))
            : _results.ToFailure() is { } failure ? throw new RequestFailedException(failure)
            : _results.ToReply(batch.Frame, batch.Epoch);

        // the picture, or why the emulator has none
        public IndexedPicture? Picture(out string? none)
        {
            none = null;
            if (_results.Read() && _results.ToFailure() is { Code: ErrorCode.Unsupported } unsupported)
            {
                none = unsupported.Detail;
                return null;
            }

            return _results.ToFailure() is { } failure ? throw new RequestFailedException(failure) : IndexedPicture.Of(_results.Bytes.Span);
        }
    }
}
